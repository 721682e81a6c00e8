package io.asynq.spring.boot.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@code RedisConnectionFactory} bean for heartbeats, outcomes and housekeeping
 * of the asynq server and scheduler, which must connect to the same Redis as the
 * client's. Needed only if that one is a subclass or a wrapper, which cannot be copied.
 * Declare it with {@code @Bean(defaultCandidate = false)}, so that Spring Boot still
 * configures the primary one.
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface AsynqServerRedis {

}
