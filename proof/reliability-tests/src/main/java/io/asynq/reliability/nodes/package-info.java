/** One cluster master hangs, and its effect on the queues of the others. */
@NullMarked
package io.asynq.reliability.nodes;

import org.jspecify.annotations.NullMarked;
