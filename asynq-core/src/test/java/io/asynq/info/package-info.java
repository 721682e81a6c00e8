/**
 * Tests of records for users.
 */
@NullMarked
package io.asynq.info;

import org.jspecify.annotations.NullMarked;
