package io.asynq.spring.boot.test.jpa;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication(proxyBeanMethods = false)
class Library {

}
