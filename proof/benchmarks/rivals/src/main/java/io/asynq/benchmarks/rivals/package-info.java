/**
 * Other Java task queues as peers, each set up as its documentation says ({@code
 * default}) and with the settings that were fastest here ({@code tuned}); no setting
 * gives up safety.
 */
@NullMarked
package io.asynq.benchmarks.rivals;

import org.jspecify.annotations.NullMarked;
