! told at 12:14: 'n' is used, and 'k', which is the same storage, is defined
! flags: -fcheck=alias
program fault
  integer :: n
  n = 1
  call s(n)
  print *, n
contains
  subroutine s(k)
    integer :: k
    k = k + 1
    print *, n
  end subroutine
end program
