/** Applies the theme that was chosen here before; without one, that of the system. */
(function () {
  var chosen = localStorage.getItem('recount.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
