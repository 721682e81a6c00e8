package io.asynq.test.process;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Skips the tests where there is no Go on the PATH, or fails them there if the
 * environment variable {@code ASYNQ_REQUIRE_GO} is {@code true}.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresGoCondition.class)
public @interface RequiresGo {

}
