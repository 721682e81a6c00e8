/**
 * Where Redis is, as flags, variables and files say it, and the connection to it.
 */
@NullMarked
package io.asynq.cli.connect;

import org.jspecify.annotations.NullMarked;
