package io.asynq.test;

import java.net.URI;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;

/**
 * Separate from {@link TestRedis}, which must load without Testcontainers.
 */
final class RedisContainer {

	private RedisContainer() {
	}

	/**
	 * @param otherwise the message if there is no Docker
	 */
	static URI start(String otherwise) {
		if (!DockerClientFactory.instance().isDockerAvailable()) {
			throw new IllegalStateException(otherwise + "; container: Docker does not answer");
		}
		GenericContainer<?> container = new GenericContainer<>("redis:7.2-alpine").withExposedPorts(6379);
		container.start();
		return URI.create("redis://" + container.getHost() + ":" + container.getMappedPort(6379));
	}

}
