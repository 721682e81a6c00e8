package io.asynq.console.view;

import org.springframework.context.annotation.Configuration;

/**
 * The screens of the console.
 */
@Configuration(proxyBeanMethods = false)
public class ConsoleViewConfiguration {

}
