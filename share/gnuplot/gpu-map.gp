unset key
set rmargin at screen 0.82
set xlabel 'time, '.unitname
set cblabel 'free GPUs of the node' offset 1
set palette maxcolors gpus + 2
h = 1.0 / (gpus + 2)
set palette defined (0 '#D55E00', h '#D55E00', h '#00204D', h + (1-h) * 0.3 '#414D6B', h + (1-h) * 0.5 '#7C7B78', h + (1-h) * 0.75 '#BCAF6F', 1 '#FFEA46')
set cbrange [-1.5:gpus + 0.5]
set cbtics ('hoarded' -1, '0' 0)
do for [g=1:gpus] { if (gpus <= 16 || g % 8 == 0) { set cbtics add (sprintf('%d', g) g) } }
set xrange [from:to]
set yrange [nodes - 0.5:-0.5]
unset grid
plot $map matrix using (from + ($1 + 0.5) * (to - from) / instants):2:3 with image notitle
