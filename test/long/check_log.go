// Checks checkpoints, consistency proofs and inclusion proofs of a log with golang.org/x/mod/sumdb alone. It reads one JSON
// object from its input and ends with an error at the first that does not hold.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type input struct {
	Key         string
	Checkpoints []string
	// Each leads from the checkpoint of the same index to the next one.
	Consistency []struct {
		From, To int64
		Hashes   []string
	}
	Proofs []string
}

type head struct {
	size int64
	root tlog.Hash
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func hashOf(text string) tlog.Hash {
	hash, err := tlog.ParseHash(text)
	must(err)
	return hash
}

func hashesOf(texts []string) []tlog.Hash {
	hashes := []tlog.Hash{}
	for _, text := range texts {
		hashes = append(hashes, hashOf(text))
	}
	return hashes
}

func open(text string, key note.Verifier) head {
	opened, err := note.Open([]byte(text), note.VerifierList(key))
	must(err)
	if len(opened.Sigs) != 1 {
		log.Fatalf("%d signatures of the key", len(opened.Sigs))
	}
	lines := strings.Split(opened.Text, "\n")
	if lines[0] != key.Name() {
		log.Fatalf("the origin is %s, the key %s", lines[0], key.Name())
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	return head{size, hashOf(lines[2])}
}

func checkProof(text string, key note.Verifier) {
	parts := strings.SplitN(text, "\n\n", 2)
	lines := strings.Split(parts[0], "\n")
	if lines[0] != "c2sp.org/tlog-proof@v1" {
		log.Fatalf("the header is %s", lines[0])
	}
	extra, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(lines[1], "extra "))
	must(err)
	var carried struct{ Leaf string }
	must(json.Unmarshal(extra, &carried))
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
	must(err)
	tree := open(parts[1], key)
	leaf := tlog.RecordHash([]byte(carried.Leaf))
	must(tlog.CheckRecord(tlog.RecordProof(hashesOf(lines[3:])), tree.size, tree.root, index, leaf))
}

func main() {
	log.SetFlags(0)
	var in input
	must(json.NewDecoder(os.Stdin).Decode(&in))
	key, err := note.NewVerifier(in.Key)
	must(err)
	heads := []head{}
	for _, text := range in.Checkpoints {
		heads = append(heads, open(text, key))
	}
	for at, proof := range in.Consistency {
		older, newer := heads[at], heads[at+1]
		if proof.From != older.size || proof.To != newer.size {
			log.Fatalf("the proof leads from %d to %d leaves", proof.From, proof.To)
		}
		must(tlog.CheckTree(tlog.TreeProof(hashesOf(proof.Hashes)), newer.size, newer.root, older.size, older.root))
	}
	for _, text := range in.Proofs {
		checkProof(text, key)
	}
	fmt.Printf("%d checkpoints, %d consistency proofs, %d inclusion proofs\n", len(heads), len(in.Consistency), len(in.Proofs))
}
