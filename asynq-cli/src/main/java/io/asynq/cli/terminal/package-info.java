/**
 * What is around a run of the program: streams, a person, and how errors are told.
 */
@NullMarked
package io.asynq.cli.terminal;

import org.jspecify.annotations.NullMarked;
