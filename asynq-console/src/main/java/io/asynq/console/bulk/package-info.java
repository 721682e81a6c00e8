/**
 * Actions on all tasks that somebody means, in the background.
 */
@NullMarked
package io.asynq.console.bulk;

import org.jspecify.annotations.NullMarked;
