  set yrange [0:gpus[i] * 1.08]
  set ytics gpus[i] / 2
  set ylabel 'GPUs'
  plot '$d'.i using ($1/unit):($2+$3) with filledcurves y=0 lc rgb red title 'hoarded', \
      '$d'.i using ($1/unit):2 with filledcurves y=0 lc rgb blue title 'running', \
      gpus[i] with lines lc rgb grey lw 1 title 'cluster'
}
