package io.asynq.archfixture.crowd;

/**
 * Breaks the rule that packages are small, together with its nested types.
 */
public class Crowd {

}

class Member1 {

}

class Member2 {

}

class Member3 {

}

class Member4 {

}

class Member5 {

}

class Member6 {

}

class Member7 {

}

class Member8 {

}

class Member9 {

}

class Member10 {

}

class Member11 {

}

class Member12 {

}

class Member13 {

}

class Member14 {

}

class Member15 {

}

class Member16 {

}

class Member17 {

}

class Member18 {

}

class Member19 {

}

class Member20 {

}

class Member21 {

}

class Member22 {

}
