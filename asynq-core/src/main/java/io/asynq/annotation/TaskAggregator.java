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
 * <p>
 * The method takes a {@code List} of {@link io.asynq.Task} or of payloads of any type,
 * and optionally a {@code String} for the name of the group. It returns the payload of
 * the task that replaces them, or that {@link io.asynq.Task} itself with its own options.
 * Tasks whose payload cannot be converted are archived. If the method throws an exception
 * or returns {@code null}, the tasks go back to their group and are aggregated again
 * after a growing pause.
 * <p>
 * All attributes may have <code>${…}</code> and <code>#{…}</code>.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(MessageMappingReflectiveProcessor.class)
public @interface TaskAggregator {

	/**
	 * The queue of the groups. A method for one queue takes precedence over methods for
	 * all queues. If the application has a server, the server must serve the queue:
	 * otherwise the method would never be called, and the application does not start.
	 * @return the queue, by default all queues
	 */
	String queue() default "";

	/**
	 * A prefix of the names of the groups. The method with the longest prefix is called.
	 * @return the prefix, by default all groups
	 */
	String group() default "";

	/**
	 * The type of the task that replaces the others. Required if the method returns a
	 * payload; a {@link io.asynq.Task} has its own.
	 * @return the type
	 */
	String type() default "";

}
