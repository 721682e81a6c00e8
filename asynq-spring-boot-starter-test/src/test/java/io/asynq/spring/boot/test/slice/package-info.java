/**
 * An application whose components are scanned.
 */
@NullMarked
package io.asynq.spring.boot.test.slice;

import org.jspecify.annotations.NullMarked;
