package io.asynq.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Enqueues a task periodically (docs/periodic-tasks.md).
 *
 * <pre class="code">
 * &#064;PeriodicTask(cron = "0 3 * * *", zone = "Europe/Berlin", type = "report")
 * Report report() {
 * 	return new Report(LocalDate.now());
 * }
 * </pre>
 * <ul>
 * <li>On a {@link TaskHandler} method, it enqueues a task of the handler's type without
 * payload, so the method must not need one. The handler then runs in one of the
 * applications that have it.</li>
 * <li>On any other bean method without arguments, it enqueues what the method returns: a
 * {@link io.asynq.Task}, or the payload of one; {@code null} enqueues nothing this time.
 * Each application that has the method calls it at each fire, but only one of the results
 * is enqueued.</li>
 * </ul>
 * All attributes may have <code>${…}</code> and <code>#{…}</code>. Durations are written
 * like {@code 30s}, {@code 5m} or {@code PT5M}. The annotation is repeatable.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(PeriodicTasks.class)
@Documented
@Reflective
public @interface PeriodicTask {

	/**
	 * Same as {@link #cron()}.
	 */
	@AliasFor("cron")
	String value() default "";

	/**
	 * When it fires: five cron fields (minute, hour, day of month, month, day of week),
	 * {@code @every 90s}, {@code @yearly}, {@code @monthly}, {@code @weekly},
	 * {@code @daily} or {@code @hourly}. {@code "-"} disables it: nothing is registered.
	 */
	@AliasFor("value")
	String cron() default "";

	/**
	 * The name of the spec's time zone, such as {@code Europe/Berlin}, not an offset;
	 * empty for {@code asynq.scheduler.zone}.
	 */
	String zone() default "";

	/**
	 * The id of the entry, the same in all applications that have it; by default made of
	 * the bean's name, the method, the spec and the zone.
	 */
	String id() default "";

	/**
	 * The type of the tasks; may be empty on a handler of one type, on a method that
	 * returns {@link io.asynq.Task}, and on one whose result has
	 * {@link io.asynq.TaskDefaults} with a type.
	 */
	String type() default "";

	/**
	 * The queue of the tasks; empty for the default.
	 */
	String queue() default "";

	/**
	 * How often a task is retried: a number; empty for the default.
	 */
	String maxRetry() default "";

	/**
	 * The id of every task; empty for a random one each time. While a task with this id
	 * exists, in any state, no other is enqueued.
	 */
	String taskId() default "";

	/**
	 * How long one attempt may last: a duration; empty for the default.
	 */
	String timeout() default "";

	/**
	 * For how long a second task with the same type, payload and queue is refused: a
	 * duration; empty for no lock.
	 */
	String unique() default "";

	/**
	 * A key of one's own by which tasks are unique, to be used with {@link #unique};
	 * empty for the payload.
	 */
	String uniqueKey() default "";

	/**
	 * Whether a task replaces an archived one with the same {@link #taskId}: {@code true}
	 * or {@code false}; empty for {@code false}.
	 */
	String replaceArchived() default "";

	/**
	 * How long after the fire a task becomes pending: a duration; empty for at once.
	 */
	String processIn() default "";

	/**
	 * How long a task that succeeded is kept: a duration; empty for the default.
	 */
	String retention() default "";

	/**
	 * The group that collects the tasks; empty for none.
	 */
	String group() default "";

	/**
	 * Headers of the tasks, each as {@code name=value}.
	 */
	String[] headers() default {};

	/**
	 * What happens to fires that were missed because no scheduler ran: {@code skip} or
	 * {@code once}; empty for {@code asynq.scheduler.missed-fires}.
	 */
	String missedFires() default "";

}
