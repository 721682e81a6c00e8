/**
 * Go's tools, started for real on what Java has written.
 */
@NullMarked
package io.asynq.interop.tools;

import org.jspecify.annotations.NullMarked;
