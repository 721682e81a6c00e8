package io.asynq.spring.boot.test.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication(proxyBeanMethods = false)
class Company {

}
