package io.asynq.archfixture.server;

import org.springframework.boot.fixture.BootType;

/**
 * Breaks the rule that core does not use Spring Boot.
 */
public class ServerThatUsesBoot {

	final Object type = new BootType();

}
