# A panel for each metric, a line for each policy; the legend is drawn once.
columns = metrics > 1 ? 2 : 1
top = 1 - (12 + keyline * keyrows) / height
each = top / ceil(metrics / (1.0 * columns))
set multiplot
unset key
do for [i=1:lines] {
  x = 0.02 + 0.98 * ((i - 1) % keycolumns) / keycolumns
  y = 1 - (14 + keyline * ((i - 1) / keycolumns)) / height
  set arrow i from screen x, y to screen x + 0.03, y nohead lw 2.2 lc rgb colour[i] dt dash[i]
  set label i + 1 name[i] at screen x + 0.04, y left
}
do for [m=1:metrics] {
  column = (m - 1) % columns
  row = (m - 1) / columns
  set lmargin at screen (column + 0.12) / columns
  set rmargin at screen (column + 0.95) / columns
  set tmargin at screen top - row * each - 26 / height
  set bmargin at screen top - (row + 1) * each + 58 / height
  set label 1 panel[m] at graph 0, 1 offset 0, 0.7 left
  low = least[m] < 0 ? least[m] * 1.08 : 0
  high = most[m] > 0 ? most[m] * 1.08 : low < 0 ? 0 : 1
  set yrange [low:high]
  set xlabel axisname offset 0, 0.7
  plot for [i=1:lines] '$c'.m.'_'.i using 1:2 with linespoints lw 2.2 pt 7 ps 0.5 lc rgb colour[i] dt dash[i]
  do for [i=1:lines] { unset arrow i; unset label i + 1 }
}
