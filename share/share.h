/* share/share.h - files of share/ in the program: scripts/embed makes the text
 * of each, ended by a zero.
 */
#ifndef SHARE_SHARE_H
#define SHARE_SHARE_H

/* share/page/: style and script of the page. */
extern const char share_page_page_css[], share_page_page_js[];

/* share/gnuplot/: settings of all pictures, parts that several begin with, and
 * one script for each picture.
 */
extern const char share_gnuplot_settings_gp[];
extern const char share_gnuplot_panels_gp[], share_gnuplot_legend_gp[],
    share_gnuplot_by_label_gp[], share_gnuplot_time_tics_gp[];
extern const char share_gnuplot_over_time_gp[], share_gnuplot_occupancy_gp[],
    share_gnuplot_outages_gp[], share_gnuplot_fragmentation_gp[],
    share_gnuplot_demand_gp[], share_gnuplot_wait_cdf_gp[],
    share_gnuplot_wait_by_cause_gp[], share_gnuplot_wait_by_size_gp[],
    share_gnuplot_queue_shares_gp[], share_gnuplot_episodes_gp[],
    share_gnuplot_preemptions_gp[], share_gnuplot_gpu_map_gp[],
    share_gnuplot_curves_gp[];

/* share/sql/: rows of each picture, of run ?1 in its window ?2 to ?3. */
extern const char share_sql_waiting[], share_sql_outages[],
    share_sql_occupancy[], share_sql_fragmentation[], share_sql_demand[],
    share_sql_wait_cdf[], share_sql_wait_by_cause[], share_sql_wait_by_size[],
    share_sql_queue_shares[], share_sql_episodes[], share_sql_preemptions[],
    share_sql_map_window[], share_sql_map_nodes[], share_sql_map_placements[];

/* share/sql/views.sql: what each view selects, in the order in which they are
 * made.  A NULL name ends the list.
 */
struct share_view {
    const char *name, *sql;
};

extern const struct share_view share_views[];

/* One column of a view: its unit, "" where it is a text, and its meaning: the
 * rows of view v_columns, which is not among share_views.  A NULL view ends the
 * list.
 */
struct share_view_column {
    const char *view, *column, *unit, *meaning;
};

extern const struct share_view_column share_view_columns[];

/* share/policies/presets.yaml: named profiles, each as the text that a profile
 * file would hold.
 */
struct share_preset {
    const char *name, *summary, *text;
};

extern const struct share_preset share_presets[];
extern const unsigned share_preset_count;

/* share/completion/: scripts for shells; a line of "@name@" alone stands for
 * lines that the command makes.
 */
extern const char share_completion_gsim_bash[], share_completion_gsim_zsh[],
    share_completion_gsim_fish[];

#endif /* SHARE_SHARE_H */
