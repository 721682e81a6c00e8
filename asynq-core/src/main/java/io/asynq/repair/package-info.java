/**
 * Finds inconsistencies in a queue and puts each task in the one right place.
 */
@NullMarked
package io.asynq.repair;

import org.jspecify.annotations.NullMarked;
