/** Workers and tools in processes of their own. */
@NullMarked
package io.asynq.reliability.process;

import org.jspecify.annotations.NullMarked;
