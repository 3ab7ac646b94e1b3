! told at 10:21: Variable 'a' is used before it has a value: 1 of its elements have none
! flags: -fcheck=undefined
program fault
  call s(5)
contains
  subroutine s(n)
    integer, intent(in) :: n
    real :: a(n)
    a(1:n-1) = 2
    print *, maxval(a)
  end subroutine
end program
