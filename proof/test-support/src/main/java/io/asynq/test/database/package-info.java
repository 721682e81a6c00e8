/**
 * Databases as processes of a test, on loopback, each in a folder of its own.
 */
@NullMarked
package io.asynq.test.database;

import org.jspecify.annotations.NullMarked;
