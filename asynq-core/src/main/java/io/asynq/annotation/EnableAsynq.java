package io.asynq.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Import;

/**
 * Finds {@link TaskHandler} and {@link TaskAggregator} methods in an application without
 * Spring Boot and registers them with beans of type {@link io.asynq.handler.TaskMux} and
 * {@link io.asynq.handler.GroupAggregators}; {@link PeriodicTask} methods likewise with a
 * bean of type {@link io.asynq.scheduler.AsynqScheduler}, if there is one. With the
 * starter it is not needed.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(AsynqConfiguration.class)
public @interface EnableAsynq {

}
