! told at 5:3: Pointer 'p' is not associated
program fault
  real, pointer :: p
  p => f()
  p = 2
contains
    function f()
      real, pointer :: f
      f => null()
    end function
end program
