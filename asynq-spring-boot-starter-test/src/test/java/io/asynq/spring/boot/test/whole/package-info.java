/**
 * An application with a database, a web layer, meters and everything that an application
 * may have around its tasks.
 */
@NullMarked
package io.asynq.spring.boot.test.whole;

import org.jspecify.annotations.NullMarked;
