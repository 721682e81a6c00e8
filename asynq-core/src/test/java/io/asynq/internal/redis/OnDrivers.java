package io.asynq.internal.redis;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs all tests of a class on several drivers, each of which passes a {@code
 * RedisConnectionFactory} to its constructor. Every run includes the first driver, {@code
 * -Pfull} the others.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ClassTemplate
@ExtendWith(DriverInvocations.class)
public @interface OnDrivers {

	Driver[] value() default { Driver.STANDALONE, Driver.CLUSTER, Driver.LETTUCE };

}
