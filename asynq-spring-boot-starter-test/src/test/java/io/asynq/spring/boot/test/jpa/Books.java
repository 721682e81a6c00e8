package io.asynq.spring.boot.test.jpa;

import org.springframework.data.jpa.repository.JpaRepository;

interface Books extends JpaRepository<Book, String> {

}
