package io.asynq.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives a test, a whole application ({@code @SpringBootTest}) or a slice of it, a client
 * that needs no Redis: tasks are kept in the memory of the test's application context.
 * The client, the inspector, handlers, converters, interceptors and policies are the real
 * ones. Inject {@link EnqueuedTasks} to see what was enqueued, and {@link TestAsynq} to
 * run it. Each test method begins without tasks. Nothing runs in the background: neither
 * the server's threads nor the scheduler's.
 * <p>
 * On a class that is no test the annotation stops the start of the application.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureAsynq {

	/** What becomes of enqueued tasks. */
	Mode mode() default Mode.FAKE;

	/** What becomes of enqueued tasks. */
	enum Mode {

		/** They are stored and recorded, and do not run. */
		FAKE,

		/**
		 * A task that is pending runs at once, in the thread that enqueues it, before the
		 * call returns; one that a handler enqueues runs when that handler has returned.
		 * What the handler throws decides the outcome, and does not reach the caller.
		 * Scheduled and retried tasks wait.
		 */
		INLINE,

		/**
		 * They wait until the test calls {@link TestAsynq#drain()}, which runs what is
		 * due. {@link TestAsynq#advance} moves the clock.
		 */
		DRAIN

	}

}
