/**
 * The differential oracle: Go executes one script of operations on one Redis and our
 * classes on another, and the databases are compared after every operation.
 */
@NullMarked
package io.asynq.interop.oracle;

import org.jspecify.annotations.NullMarked;
