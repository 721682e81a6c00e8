/** Micro-benchmarks of package-private parts of a server, in the same package. */
@NullMarked
package io.asynq.server;

import org.jspecify.annotations.NullMarked;
