/* sim/study/note_line.h - the line of a note. */
#ifndef STUDY_NOTE_LINE_H
#define STUDY_NOTE_LINE_H

#include <stddef.h>

struct gsched_setting;
struct inputs;
struct study_notes;

/* Add a line, cut where it is too long; notes beyond STUDY_NOTES_MAX are left
 * out.
 */
void study_note(struct inputs *in, struct study_notes *out, const char *fmt,
                ...) __attribute__((format(printf, 3, 4)));

/* "3 jobs state it, the first is 'a', t.yaml:7", written to buf[size]; returns
 * it.
 */
const char *study_note_where(const struct inputs *in,
                             const struct gsched_setting *s, char *buf,
                             size_t size);

#endif /* STUDY_NOTE_LINE_H */
