# A panel for each run, one below the other, with one time axis.
set multiplot
top = 1.0 - 34.0 / height
each = (top - 62.0 / height) / runs
set lmargin at screen 0.09
set rmargin at screen 0.97
set xrange [0:end]
set format x ''
do for [i=1:runs] {
  set tmargin at screen top - (i - 1) * each - 24.0 / height
  set bmargin at screen top - i * each + 6.0 / height
  set label 1 name[i] at graph 0, 1 offset 0, 0.7 left
  if (i == runs) { set format x '%g'
    set xlabel 'time, '.unitname }
  if (i == 1) { set key at screen 0.97, 1 - 4.0 / height right top horizontal Left reverse samplen 2 } else { unset key }
