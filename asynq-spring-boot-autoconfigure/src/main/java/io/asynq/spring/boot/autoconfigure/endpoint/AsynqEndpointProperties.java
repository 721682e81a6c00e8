package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the actuator endpoint.
 *
 * @param showValues When payloads, results and the values of headers are shown.
 * @param roles Comma-separated list of roles of those who may see them when authorized.
 * None means everybody who is authenticated.
 */
@ConfigurationProperties("asynq.endpoint")
record AsynqEndpointProperties(@DefaultValue("never") Show showValues, @DefaultValue Set<String> roles) {
}
