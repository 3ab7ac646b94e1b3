module m
  interface operator (.a1.)
  end interface
end module
