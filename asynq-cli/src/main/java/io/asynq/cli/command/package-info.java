/**
 * What all commands have: global options, surroundings, a session, errors and questions.
 */
@NullMarked
package io.asynq.cli.command;

import org.jspecify.annotations.NullMarked;
