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
 * Enqueues a task again and again (asynq M03).
 * <ul>
 * <li>On a {@link TaskHandler} method: a task of its type without payload, so the handler
 * runs periodically, in whichever application gets the task.</li>
 * <li>On any other bean method without arguments: a task with what the method returns as
 * payload, or the {@link io.asynq.Task} it returns. The method is called at each fire;
 * where several applications have it, in each of them, and one of the answers is
 * enqueued. {@code null} means that nothing is enqueued this time.</li>
 * </ul>
 * In all attributes <code>${…}</code> and <code>#{…}</code> are resolved; durations are
 * written like {@code 30s}, {@code 5m} or {@code PT5M}. May be given several times.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(PeriodicTasks.class)
@Documented
@Reflective
public @interface PeriodicTask {

	/**
	 * Same as {@link #cron()}.
	 * @return the spec
	 */
	@AliasFor("cron")
	String value() default "";

	/**
	 * When it fires: five cron fields (minute, hour, day of month, month, day of week),
	 * {@code @every 90s}, {@code @yearly}, {@code @monthly}, {@code @weekly},
	 * {@code @daily} or {@code @hourly} (M07–M11). {@code "-"} means never: nothing is
	 * registered.
	 * @return the spec
	 */
	@AliasFor("value")
	String cron() default "";

	/**
	 * The zone in which the spec is read (M12), such as {@code Europe/Berlin}.
	 * @return its name, no offset; empty for {@code asynq.scheduler.zone}
	 */
	String zone() default "";

	/**
	 * The identity, by which all applications with this entry know that it is the same.
	 * @return the id; empty for the bean's name, the method and the spec
	 */
	String id() default "";

	/**
	 * The type of the tasks.
	 * @return the type; may be empty on a handler of one type, on a method that returns
	 * {@link io.asynq.Task}, and on one whose result has
	 * {@link io.asynq.client.TaskDefaults} with a type
	 */
	String type() default "";

	/**
	 * The queue of the tasks (D02).
	 * @return its name; empty for the default
	 */
	String queue() default "";

	/**
	 * How often a task is tried again (D01).
	 * @return a number; empty for the default
	 */
	String maxRetry() default "";

	/**
	 * The id of each of the tasks: while one is waiting, running, archived or kept, no
	 * other is enqueued (D03).
	 * @return the id; empty for a new one each time
	 */
	String taskId() default "";

	/**
	 * How long one attempt may last (D04).
	 * @return a duration; empty for the default
	 */
	String timeout() default "";

	/**
	 * For how long a second task with the same payload is refused (D07).
	 * @return a duration; empty for not at all
	 */
	String unique() default "";

	/**
	 * How long after the fire a task becomes pending (D09).
	 * @return a duration; empty for at once
	 */
	String processIn() default "";

	/**
	 * How long a task that succeeded is kept (D10).
	 * @return a duration; empty for the default
	 */
	String retention() default "";

	/**
	 * The group that collects the tasks (D11).
	 * @return its name; empty for none
	 */
	String group() default "";

	/**
	 * Headers of the tasks (D13).
	 * @return each as {@code name=value}
	 */
	String[] headers() default {};

	/**
	 * What becomes of fires while no scheduler was there: {@code skip} or {@code once}.
	 * @return the policy; empty for {@code asynq.scheduler.missed-fires}
	 */
	String missedFires() default "";

}
