package io.asynq.interop.peer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.asynq.test.RedisExtension;
import io.asynq.test.process.RequiresGo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests of Go and Java on one Redis, which is emptied before each test. They get
 * {@link Peers} and {@link RawRedis}, whose servers are shut down after each test.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@RequiresGo
@ExtendWith({ RedisExtension.class, PeersExtension.class })
public @interface InteropTest {

}
