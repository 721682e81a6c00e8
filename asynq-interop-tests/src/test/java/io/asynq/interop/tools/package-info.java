/**
 * The tools of Go's world, started for real on what Java has written.
 */
@NullMarked
package io.asynq.interop.tools;

import org.jspecify.annotations.NullMarked;
