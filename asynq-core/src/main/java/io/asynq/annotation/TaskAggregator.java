package io.asynq.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.messaging.handler.annotation.MessageMappingReflectiveProcessor;

/**
 * Marks a bean's method that turns the tasks of a group into one (docs/groups.md).
 *
 * <pre class="code">
 * &#064;TaskAggregator(queue = "mail", group = "user:", type = "notify:digest")
 * Digest digest(String group, List&lt;Notice&gt; notices) {
 * 	return new Digest(notices);
 * }
 * </pre>
 *
 * <p>
 * The method takes a {@code List} of {@link io.asynq.Task} or of payloads of any type,
 * and optionally a {@code String} for the name of the group. It returns the payload of
 * the task that replaces them, or that {@link io.asynq.Task} itself with its own options.
 * Tasks whose payload cannot be converted are archived. If the method throws an exception
 * or returns {@code null}, the tasks go back to their group and are aggregated again
 * after a growing pause. All attributes may have <code>${…}</code> and <code>#{…}</code>.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(MessageMappingReflectiveProcessor.class)
public @interface TaskAggregator {

	/**
	 * The queue of the groups, by default all queues. A method for one queue takes
	 * precedence over methods for all. If the application has a server, it must serve the
	 * queue: otherwise the method would never be called, and the application does not
	 * start.
	 */
	String queue() default "";

	/**
	 * A prefix of the names of the groups, by default all groups. The method with the
	 * longest prefix is called.
	 */
	String group() default "";

	/**
	 * The type of the task that replaces the others. Required if the method returns a
	 * payload; a {@link io.asynq.Task} has its own.
	 */
	String type() default "";

}
