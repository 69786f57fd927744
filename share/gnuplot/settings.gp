# Colours of Okabe and Ito; grey instead of black, which a dark page hides.
array colour[8] = ['#0072B2', '#E69F00', '#009E73', '#D55E00', '#56B4E9', '#CC79A7', '#808080', '#F0E442']
array dash[8] = [1, 1, 1, 1, 2, 2, 2, 2]
blue = '#0072B2'
red = '#D55E00'
orange = '#E69F00'
sky = '#56B4E9'
grey = '#808080'
set border 3 lc rgb '#808080'
set tics nomirror scale 0.5 textcolor rgb 'black'
set grid lc rgb '#808080' lw 0.4 dt 3
set style fill solid 1 noborder
