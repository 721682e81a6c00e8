package io.asynq.archfixture.server;

import org.springframework.boot.fixture.BootType;

/**
 * Breaks: core does without Spring Boot.
 */
public class ServerThatUsesBoot {

	final Object type = new BootType();

}
