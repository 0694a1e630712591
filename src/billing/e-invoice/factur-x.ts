import type { Attachment } from '../pdf/page.js';

const FILE = 'factur-x.xml';
const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
/** Properties of the metadata by which a reader finds the XML. A credit note is of the document type INVOICE as well. */
const PROPERTIES = [
  { name: 'DocumentFileName', value: FILE, description: 'The name of the embedded XML document' },
  { name: 'DocumentType', value: 'INVOICE', description: 'The type of the hybrid document' },
  { name: 'Version', value: '1.0', description: 'The version of the standard of the XML document' },
  { name: 'ConformanceLevel', value: 'EN 16931', description: 'The profile of the XML document' },
] as const;

/** Metadata of Factur-X 1.0 and ZUGFeRD 2, with the schema of its properties, which PDF/A demands. */
const METADATA = `
  <rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">
${PROPERTIES.map(({ name, value }) => `    <fx:${name}>${value}</fx:${name}>`).join('\n')}
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
      xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
    <pdfaExtension:schemas>
      <rdf:Bag>
        <rdf:li rdf:parseType="Resource">
          <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
          <pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI>
          <pdfaSchema:prefix>fx</pdfaSchema:prefix>
          <pdfaSchema:property>
            <rdf:Seq>
${PROPERTIES.map(
  ({ name, description }) => `              <rdf:li rdf:parseType="Resource">
                <pdfaProperty:name>${name}</pdfaProperty:name>
                <pdfaProperty:valueType>Text</pdfaProperty:valueType>
                <pdfaProperty:category>external</pdfaProperty:category>
                <pdfaProperty:description>${description}</pdfaProperty:description>
              </rdf:li>`,
).join('\n')}
            </rdf:Seq>
          </pdfaSchema:property>
        </rdf:li>
      </rdf:Bag>
    </pdfaExtension:schemas>
  </rdf:Description>`;

/** The e-invoice as the attachment that makes a PDF a Factur-X and ZUGFeRD document of the profile EN 16931. */
export const facturX = (xml: string): Attachment => ({
  name: FILE,
  type: 'text/xml',
  description: 'Factur-X/ZUGFeRD invoice',
  relationship: 'Alternative',
  bytes: Buffer.from(xml, 'utf8'),
  metadata: METADATA,
});
