/** The program finds the violations it looks for. */
@NullMarked
package io.asynq.reliability;

import org.jspecify.annotations.NullMarked;
