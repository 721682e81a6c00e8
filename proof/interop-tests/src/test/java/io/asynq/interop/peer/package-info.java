/**
 * Both implementations behind one interface, so that a test runs both ways: the Go
 * program, driven over its standard input and output, and this library.
 */
@NullMarked
package io.asynq.interop.peer;

import org.jspecify.annotations.NullMarked;
