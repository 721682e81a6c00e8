/**
 * Micro-benchmarks. Those of package-private classes are in the packages of these
 * classes.
 */
@NullMarked
package io.asynq.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
