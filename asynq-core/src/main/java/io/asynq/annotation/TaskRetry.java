package io.asynq.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * How failed tasks of a {@link TaskHandler} method are retried, or of all such methods of
 * a class; the method's annotation replaces that of its class. On any other method it is
 * a mistake, which ends the start. It holds for tasks of every client, in the terms of
 * Spring's {@code @Retryable}; how often a task is retried is written in the task
 * ({@link TaskHandler#maxRetry()}). The properties {@code asynq.server.retry} override
 * it, one by one. Texts may have <code>${…}</code> and <code>#{…}</code>.
 */
@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface TaskRetry {

	/**
	 * Same as {@link #includes()}.
	 * @return classes
	 */
	@AliasFor("includes")
	Class<? extends Throwable>[] value() default {};

	/**
	 * The only errors that are retried, subclasses and causes included; others archive
	 * the task at once. A passed deadline, a cancellation and the death of a server are
	 * retried all the same.
	 * @return classes, none for all errors
	 */
	@AliasFor("value")
	Class<? extends Throwable>[] includes() default {};

	/**
	 * Errors that are not retried, subclasses and causes included: they archive the task
	 * at once.
	 * @return classes, which win over those that are included
	 */
	Class<? extends Throwable>[] excludes() default {};

	/**
	 * How long a task waits after its first failure. Without any delay, jitter,
	 * multiplier, longest delay and back-off, the {@link io.asynq.RetryDelayPolicy}
	 * decides. The time of a retry is cut to whole seconds.
	 * @return like {@code 30s} or {@code PT5M}, default 1 s
	 */
	String delay() default "";

	/**
	 * By how much each delay is made longer or shorter at most, at random. It grows with
	 * the delay.
	 * @return like {@code 5s}, default none
	 */
	String jitter() default "";

	/**
	 * By what each delay is multiplied for the next one.
	 * @return at least 1, which is the default
	 */
	double multiplier() default 1;

	/**
	 * The longest delay.
	 * @return like {@code 1h}, default no limit
	 */
	String maxDelay() default "";

	/**
	 * The name of a bean that computes the delays, instead of the attributes above. A
	 * task for which it stops is archived.
	 * @return the name of a {@link org.springframework.util.backoff.BackOff} bean that is
	 * safe for concurrent use
	 */
	String backOff() default "";

}
