! overlapping assignments with elemental functions, where with function masks, dependency
program p
  implicit none
  integer :: a(8), i
  character(4) :: c(4)
  logical :: l(8)
  a = [(i, i=1,8)]
  a(2:8) = twice(a(1:7))
  print *, a
  a(8:1:-1) = a
  print *, a
  a(1:4) = a(4:1:-1) + a(5:8)
  print *, a
  where (odd(a)) a = -a
  print *, a
  l = .false.
  l(::2) = a(::2) > 3
  print *, l
  c = ['dcba', 'hgfe', 'lkji', 'ponm']
  c = c(4:1:-1)
  print *, c
  c(2:3)(1:2) = c(1:2)(3:4)
  print *, c
  a = cshift(a, 1) + eoshift(a, -1)
  print *, a
  a(1) = sum(a); a(2) = maxval(a(2:)); a(a(3:3)*0 + 5) = [99]
  print *, a
contains
  elemental integer function twice(x)
    integer, intent(in) :: x
    twice = 2*x
  end function
  elemental logical function odd(x)
    integer, intent(in) :: x
    odd = mod(x, 2) /= 0
  end function
end program
