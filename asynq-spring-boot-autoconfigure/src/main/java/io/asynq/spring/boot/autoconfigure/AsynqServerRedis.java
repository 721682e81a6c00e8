package io.asynq.spring.boot.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@code RedisConnectionFactory} bean that only the asynq server and scheduler
 * use, for their heartbeats, outcomes and housekeeping. It must lead to the same Redis as
 * the one that tasks go through. Needed only where that one is a subclass or a wrapper,
 * of which no copy can be made. Declare it with {@code @Bean(defaultCandidate = false)},
 * so that Spring Boot still configures the primary one.
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface AsynqServerRedis {

}
