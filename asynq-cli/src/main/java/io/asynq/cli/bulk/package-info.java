/**
 * Commands for all tasks of a state, or those of them that pass a filter.
 */
@NullMarked
package io.asynq.cli.bulk;

import org.jspecify.annotations.NullMarked;
