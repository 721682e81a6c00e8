package io.asynq.spring.boot.test.slice;

import org.springframework.stereotype.Component;

/**
 * Must not be created in a slice.
 */
@Component
class Unrelated {

}
