package io.asynq.spring.boot.test.whole;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication(proxyBeanMethods = false)
class Bank {

}
