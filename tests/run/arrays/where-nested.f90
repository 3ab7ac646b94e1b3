! Nested WHERE constructs with ELSEWHERE(mask).
program p
  implicit none
  integer :: a(10), b(10), i
  a = [(i - 5, i=1,10)]
  b = 0
  one: where (a > 0)
    b = 1
    where (a > 2)
      b = b + 10
    elsewhere (a == 1)
      b = b + 100
    end where
  elsewhere (a < -2) one
    b = -1
  elsewhere one
    b = abs(a)
  end where one
  print *, b
  where (mod(a, 2) == 0) a = a/2
  print *, a
end program
